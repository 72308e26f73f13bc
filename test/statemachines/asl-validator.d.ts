/** The package carries no types of its own. */
declare module 'asl-validator' {
  interface Validation {
    readonly isValid: boolean;
    errorsText(separator?: string): string;
  }
  export default function aslValidator(definition: object): Validation;
}
