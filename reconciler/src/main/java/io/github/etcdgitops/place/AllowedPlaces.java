package io.github.etcdgitops.place;

import io.github.etcdgitops.spec.value.Destination;
import java.util.List;
import java.util.Optional;

/// Where one set of credentials may be used, or the process without a set. `source` is where the operator
/// states it, for messages. With `trouble` nothing is allowed, because the operator's statement is unknown.
public record AllowedPlaces(String source, Optional<String> set, List<AllowedPlace> places, Optional<String> trouble) {
    public static AllowedPlaces parse(String source, Optional<String> set, String text) {
        try {
            return new AllowedPlaces(source, set, PlacesText.places(text), Optional.empty());
        } catch (PlacesText.Wrong e) {
            return unusable(source, set, String.valueOf(e.getMessage()));
        }
    }

    /// `why` continues the name of the source.
    public static AllowedPlaces unusable(String source, Optional<String> set, String why) {
        return new AllowedPlaces(source, set, List.of(), Optional.of(why));
    }

    /// Why the destination may not be used, and what to do if that is intended. Empty where it may.
    public Optional<String> refusal(Destination destination) {
        var asked = AllowedPlace.askedFor(destination);
        if (asked.isEmpty()) {
            return Optional.of("the endpoint of " + destination.title() + " is not valid");
        }
        if (asked.get().ambiguous()) {
            return Optional.of(destination.title() + " has an empty segment, '.', '..' or a character that is not"
                    + " allowed in its path");
        }
        return allowing(asked.get()).isPresent() ? Optional.empty() : Optional.of(refused(destination, asked.get()));
    }

    /// The line that allows it.
    public Optional<AllowedPlace> allowing(Destination destination) {
        return AllowedPlace.askedFor(destination)
                .filter(asked -> !asked.ambiguous())
                .flatMap(this::allowing);
    }

    private Optional<AllowedPlace> allowing(AllowedPlace asked) {
        return places.stream().filter(place -> place.covers(asked)).findFirst();
    }

    private String refused(Destination destination, AllowedPlace asked) {
        String what = destination.title()
                + asked.endpoint().map(e -> " at " + e).orElse("") + " may not be used"
                + set.map(name -> " with the credential set " + name)
                        .orElse(destination instanceof Destination.Directory ? "" : " without a credential set");
        String why = trouble.map(t -> source + " " + t).orElse(source + " does not list it");
        String place = asked.toString();
        return what + ": " + why + ". If it is intended, the operator of the reconciler adds this line there: " + place;
    }
}
