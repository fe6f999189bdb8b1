package dev.fence.properties;

import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** An object that is read and written with no condition of any kind. */
record PlainObject(S3Client client, String bucket, String key) implements Register {

    @Override
    public long read() {
        try {
            return SlotRegister.content(
                    client.getObjectAsBytes(r -> r.bucket(bucket).key(key)).asByteArray());
        } catch (NoSuchKeyException e) {
            return 0;
        }
    }

    @Override
    public void write(Value value) {
        client.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromBytes(SlotRegister.bytes(value)));
    }
}
