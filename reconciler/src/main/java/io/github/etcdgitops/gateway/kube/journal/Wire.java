package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.databind.JsonMappingException;

/// The written form of a part of the journal, where it differs from the program's own. The names of its
/// components are the field names.
interface Wire<T> {
    /// Throws where the fields contradict each other.
    T meaning() throws JsonMappingException;
}
