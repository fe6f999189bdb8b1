@NullMarked
package dev.fence.etcd;

import org.jspecify.annotations.NullMarked;
