import fc from 'fast-check';

/** For mutation testing: properties draw the same examples in every run, so that a score can be measured again. */
fc.configureGlobal({ seed: 1 });
