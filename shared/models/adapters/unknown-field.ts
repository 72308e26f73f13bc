/** Words of refusals that say of a field that the model, or the server, does not take it: in a validator's error type and in messages. */
export const NOT_TAKEN = /unsupported|n(?:o|['’])t support|unrecognized|unknown|not permitted|extra/i;
