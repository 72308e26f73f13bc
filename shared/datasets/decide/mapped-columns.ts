import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { mappedFormatOf } from '#shared/tabular/decide/images/column-formats.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import type { DatasetRecord } from './record.ts';

/**
 * Checks the content of mapped columns by the profile that the reader of the file made. A column without a profile is
 * not checked; its bad cells are reported row by row.
 * @throws {ServiceError} `invalid_request`, naming for `chat` the first invalid row
 */
export function requireFittingColumns(mapping: ColumnMapping, columns: readonly RowsColumn[]): void {
  const columnOf = (name: string | undefined) => columns.find((column) => column.name === name);
  const chat = columnOf(mapping.chat)?.profile;
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
  const image = columnOf(mapping.image);
  if (image?.profile !== undefined && mappedFormatOf(image) === null) {
    throw invalidField(
      'column_mapping.image',
      `${JSON.stringify(mapping.image)} ${image.profile.is_empty ? 'is empty' : 'holds no images'}; its cells must hold ` +
        'images (bytes as base64, data URLs), http(s) URLs of images, or paths that end in .png, .jpg, .gif or .webp',
    );
  }
}

/** The model that writes answers, as a launch sees it. */
export interface AnswerModel {
  /** Null if the installation has none. */
  readonly id: string | null;
  readonly seesImages: boolean;
}

/** Why the model cannot receive the mapped images; null if it can, or if there are none. */
export function sightProblem(
  mapping: ColumnMapping | undefined,
  { id, seesImages }: AnswerModel,
): string | null {
  if (mapping?.image === undefined || seesImages) return null;
  return `the model ${JSON.stringify(id)}, which writes the answers of this installation, does not see images; omit the image column, or ask your operator for a model that does`;
}

/** @throws {ServiceError} `model_cannot_see` if an image is mapped that the model cannot receive */
export function requireSight(mapping: ColumnMapping, model: AnswerModel): void {
  const message = sightProblem(mapping, model);
  if (message === null) return;
  throw new ServiceError('model_cannot_see', `column_mapping.image: ${message}`, {
    details: [{ path: 'column_mapping.image', message, model: model.id }],
  });
}

/** The format of a mapped image column: as its dataset was told, or as its cells show. */
export const imageFormatOf = (
  { columns, image_column_formats }: Pick<DatasetRecord, 'columns' | 'image_column_formats'>,
  image: string,
): ImageColumnFormat | null =>
  own(image_column_formats, image) ?? mappedFormatOf(columns?.find(({ name }) => name === image));
