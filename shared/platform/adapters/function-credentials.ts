import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * The credentials of a function: those that Lambda puts in its environment. The build takes this module for
 * `@aws-sdk/credential-provider-node`, which every client of the SDK loads and which looks for credentials of people and
 * machines: files, single sign-on, web identities, metadata services. They are a ninth of a bundle.
 */
export const defaultProvider = fromEnv;
