import { ensureValidLanguage } from './valid-language.ts';

// Imported first: modules make their formats for numbers and times when they are loaded.
ensureValidLanguage(navigator);
