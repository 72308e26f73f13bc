import * as z from 'zod';
import { IntegerText } from '#shared/platform/schema/common.ts';

export const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;

/** How OpenAI's clients ask for a page. */
export const PageQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(PAGE_MAX))
    .optional()
    .describe('Page size, 1 to 100, default 20.'),
  after: z.string().max(200).optional().describe('`last_id` of the previous page, up to 200 characters.'),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** A page of a list, as OpenAI's clients read it. */
export const listOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z.object({
    object: z.literal('list').describe('Kind of the object.'),
    data: z.array(item).describe('Things of this page.'),
    has_more: z.boolean().meta({ example: false }).describe('Whether there are further pages.'),
    first_id: z
      .string()
      .nullable()
      .meta({ example: id })
      .describe('Id of the first; null if there are none.'),
    last_id: z
      .string()
      .nullable()
      .meta({ example: id })
      .describe('Id of the last; pass it as `after` for the next page. Null if there are none.'),
  });
