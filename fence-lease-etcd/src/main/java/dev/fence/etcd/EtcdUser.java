package dev.fence.etcd;

/**
 * A user of etcd's own, who needs to read and write below the namespace.
 *
 * @param name not empty
 * @param password is sent to etcd and shown nowhere; over {@code http} it is sent in the clear
 */
public record EtcdUser(String name, String password) {

    /** @throws IllegalArgumentException if the name is empty */
    public EtcdUser {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the user name is empty: etcd needs one");
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "EtcdUser[" + name + "]";
    }
}
