package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.BoundedStream;
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

/// Whether what answers speaks S3. The client takes any answer of 200 for a good one: a page of a web server is a
/// listing without an object to it, and a backup that nobody keeps is written.
public final class S3Answers implements ExecutionInterceptor {
    private static final int HEAD = 1024;

    /// In bytes. A page of a thousand keys, each as long as they may be, has a tenth of it.
    public static final int LARGEST = 16 << 20;

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9.+-]{1,40}/[A-Za-z0-9.+-]{1,40}");
    private static final Pattern BEFORE_ROOT =
            Pattern.compile("\\A\\uFEFF?\\s*(<[?]xml[^>]*[?]>)?(\\s|<!--(?s:.*?)-->)*");

    /// The message has no word of the server's but its content type.
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

    /// Every answer about an object names its version by an ETag.
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

    /// The element that the answer begins with.
    private static Optional<String> root(SdkRequest request) {
        return switch (request) {
            case ListObjectsV2Request _ -> Optional.of("ListBucketResult");
            case ListMultipartUploadsRequest _ -> Optional.of("ListMultipartUploadsResult");
            case CreateMultipartUploadRequest _ -> Optional.of("InitiateMultipartUploadResult");
            default -> Optional.empty();
        };
    }
}
