@NullMarked
package dev.fence.lab;

import org.jspecify.annotations.NullMarked;
