package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.databind.JsonMappingException;

/// A part of the journal as it is written, where that is not how the product has it. The names of its components are
/// those of the fields.
interface Wire<T> {
    /// Throws where the fields do not go together.
    T meaning() throws JsonMappingException;
}
