/** When is this timer due? */
@NullMarked
package io.horae.timer;

import org.jspecify.annotations.NullMarked;
