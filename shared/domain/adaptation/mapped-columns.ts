import { invalidField } from '../../errors/from-zod.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ColumnMapping } from '../../schema/column-mapping.ts';
import type { RowsColumn } from '../../schema/rows-manifest.ts';

/**
 * Checks the content of mapped columns by the profile from reading the file. A column without a profile is not
 * checked; bad cells are then reported row by row.
 * @throws {ServiceError} `invalid_request`, naming for `chat` the first invalid row
 */
export function requireFittingColumns(mapping: ColumnMapping, columns: readonly RowsColumn[]): void {
  const profileOf = (name: string | undefined) => columns.find((column) => column.name === name)?.profile;
  const chat = profileOf(mapping.chat);
  if (chat?.not_chat) {
    const { row, problem } = chat.not_chat;
    throw invalidField(
      'column_mapping.chat',
      `row ${row} of ${JSON.stringify(mapping.chat)} ${problem}; rows are counted from 0, and each cell must hold ` +
        'a list of {role, content}, nested or as JSON text, or nothing',
      { row, problem },
    );
  }
  if (chat?.is_empty) {
    throw invalidField('column_mapping.chat', `${JSON.stringify(mapping.chat)} is empty in every row`);
  }
  const image = profileOf(mapping.image);
  if (image?.image_format === null) {
    throw invalidField(
      'column_mapping.image',
      `${JSON.stringify(mapping.image)} ${image.is_empty ? 'is empty' : 'holds no images'}; its cells must hold ` +
        'images (bytes as base64, data URLs), http(s) URLs of images, or paths that end in .png, .jpg, .gif or .webp',
    );
  }
}

/** The model that writes answers, as a launch knows it. */
export interface AnswerModel {
  /** Null where the installation has none. */
  readonly id: string | null;
  readonly seesImages: boolean;
}

/** @throws {ServiceError} `model_cannot_see` where an image is mapped that the model could not be shown */
export function requireSight(mapping: ColumnMapping, { id, seesImages }: AnswerModel): void {
  if (mapping.image === undefined || seesImages) return;
  const message = `the model ${JSON.stringify(id)}, which writes the answers of this installation, does not see images; omit the image column, or ask your operator for a model that does`;
  throw new ServiceError('model_cannot_see', `column_mapping.image: ${message}`, {
    details: [{ path: 'column_mapping.image', message, model: id }],
  });
}
