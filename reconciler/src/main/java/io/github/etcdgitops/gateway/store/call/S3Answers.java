package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.bounded.BoundedStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/// Checks that the answering server speaks S3. The client accepts any answer of 200: a web page would be an
/// empty listing, and a backup would be written that is not stored.
public final class S3Answers implements ExecutionInterceptor {
    private static final int HEAD = 1024;

    /// In bytes. A page of a thousand keys of maximum length has a tenth of it.
    public static final int LARGEST = 16 << 20;

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9.+-]{1,40}/[A-Za-z0-9.+-]{1,40}");
    private static final Pattern BEFORE_ROOT =
            Pattern.compile("\\A\\uFEFF?\\s*(<[?]xml[^>]*[?]>)?(\\s|<!--(?s:.*?)-->)*");

    /// The message quotes only the server's content type.
    public static final class NotS3 extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private NotS3(Context.AfterTransmission context) {
            super("what answers at " + server(context) + " is not S3 (" + type(context)
                    + "); check the endpoint, and any proxy in between");
        }

        private static String server(Context.AfterTransmission context) {
            var uri = context.httpRequest().getUri();
            return uri.getScheme() + "://" + uri.getRawAuthority();
        }

        private static String type(Context.AfterTransmission context) {
            return context.httpResponse()
                    .firstMatchingHeader("Content-Type")
                    .map(text -> text.replaceFirst(";.*", "").strip())
                    .filter(text -> TYPE.matcher(text).matches())
                    .orElse("an answer without a content type");
        }
    }

    /// Every answer about an object has an ETag for its version.
    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        boolean aboutAnObject = switch (context.request()) {
            case HeadObjectRequest _, GetObjectRequest _, PutObjectRequest _, UploadPartRequest _ -> true;
            default -> false;
        };
        if (aboutAnObject
                && context.httpResponse().isSuccessful()
                && context.httpResponse().firstMatchingHeader("ETag").isEmpty()) {
            throw new NotS3(context);
        }
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        boolean well = context.httpResponse().isSuccessful();
        if (well && context.request() instanceof GetObjectRequest) {
            return context.responseBody();
        }
        Optional<InputStream> answer = context.responseBody().map(in -> new BoundedStream(in, LARGEST, LONGEST));
        var root = root(context.request());
        if (root.isEmpty() || !well) {
            return answer;
        }
        var body = answer.orElseGet(InputStream::nullInputStream);
        try {
            byte[] head = body.readNBytes(HEAD);
            String text = BEFORE_ROOT
                    .matcher(new String(head, StandardCharsets.UTF_8))
                    .replaceFirst("");
            if (!text.startsWith("<" + root.get())) {
                throw new NotS3(context);
            }
            return Optional.of(new SequenceInputStream(new ByteArrayInputStream(head), body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The element at the start of the answer.
    private static Optional<String> root(SdkRequest request) {
        return switch (request) {
            case ListObjectsV2Request _ -> Optional.of("ListBucketResult");
            case ListMultipartUploadsRequest _ -> Optional.of("ListMultipartUploadsResult");
            case CreateMultipartUploadRequest _ -> Optional.of("InitiateMultipartUploadResult");
            default -> Optional.empty();
        };
    }
}
