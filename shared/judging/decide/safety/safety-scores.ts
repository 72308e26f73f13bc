import * as z from 'zod';
import { SafetyCategory } from '../../schema/safety.ts';

/** The severity of a text in each category, 0 to 1. */
export const SafetyScores = z.record(SafetyCategory, z.number().min(0).max(1));
export type SafetyScores = Readonly<z.infer<typeof SafetyScores>>;

/** Scores from here on are issues. */
export const SAFETY_ISSUE_MIN = 0.5;

/** Scores of each category, rounded to hundredths. */
export function scoreCategories(scoreOf: (category: SafetyCategory) => number): SafetyScores {
  const scores = SafetyCategory.options.map((category): [SafetyCategory, number] => [
    category,
    Math.round(Math.min(1, Math.max(0, scoreOf(category))) * 100) / 100,
  ]);
  return Object.fromEntries(scores) as Record<SafetyCategory, number>;
}

/** The categories in which a text has an issue, in the order of the schema. */
export function issuesOf(scores: SafetyScores): SafetyCategory[] {
  return SafetyCategory.options.filter((category) => scores[category] >= SAFETY_ISSUE_MIN);
}

/**
 * Why a text has no scores. `not_selected`: `max_rows` left its row out. `language`: only the word lists could have
 * scored it, and they read English. `reviewed`: a person wrote it after the run.
 */
export type NotScored = 'not_selected' | 'language' | 'reviewed';

/** The value of `prompt_safety_issues` and `response_safety_issues`: always all five categories, in one order. */
export function safetyCell(scores: SafetyScores | NotScored): string {
  if (typeof scores !== 'string') return JSON.stringify(scoreCategories((category) => scores[category]));
  const none = SafetyCategory.options.map((category) => [category, null]);
  return JSON.stringify({ ...Object.fromEntries(none), not_scored: scores });
}
