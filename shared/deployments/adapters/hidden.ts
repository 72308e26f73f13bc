/** What a platform says, without what names resources of the operator. */
export const hidden = (text: string): string =>
  text
    .slice(0, 600)
    .replaceAll(/(?:s3:\/\/|arn:)[^\s"'<>]{1,300}/g, 'an object of the installation')
    .slice(0, 400);
