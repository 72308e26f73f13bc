import { SafetyCategory } from '#shared/schema/adaptation.ts';

/** How far a text goes in each category, 0 to 1. */
export type SafetyScores = Readonly<Record<SafetyCategory, number>>;

/** From here on a score is an issue. */
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

/** The value of `prompt_safety_issues` and `response_safety_issues`: always all five categories, in one order. */
export function safetyCell(scores: SafetyScores): string {
  return JSON.stringify(scoreCategories((category) => scores[category]));
}
