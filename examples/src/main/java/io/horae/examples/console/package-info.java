/** What programs read from the command line and show on a console. */
@NullMarked
package io.horae.examples.console;

import org.jspecify.annotations.NullMarked;
