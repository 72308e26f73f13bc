const ORDERS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override)\b.{0,60}\b(rubric|criteri(a|on)|instructions?|rules?|system prompt)\b/i,
  /\b(judge|grader|evaluator|rater|scorer)s?\b.{0,60}\b(must|should|shall|has to|have to|will|name|pick|choose|give|score|grade|award|prefer)\b/i,
  /\b(score|grade|rate|rank|mark|award)\b.{0,40}\b(10|ten|highest|maximum|full marks|perfect)\b/i,
  /\b(give|assign|output|return|answer|reply|respond)\b.{0,30}\b(10|ten)\b.{0,30}\b(everything|every|all|criteri(a|on)|points?|score|grade|rubric)\b/i,
  /\bthis (answer|response|completion|reply|one)\b.{0,40}\b(is|deserves|should|must|gets|earns|wins)\b.{0,40}\b(excellent|best|perfect|better|winner|10|ten|points)\b/i,
  /\b(correct|relevant|complete|clear|fluent)\b\W{1,4}10\b/i,
];

/**
 * Removes sentences that address the grader (prompt injection). They are not part of an answer, so removing them
 * changes no honest grade; small judges obey them in spite of the fence. Covers common English phrasings only.
 */
export function withoutOrders(text: string): string {
  const sentences = text.split(/(?<=[.!?]\s|\n)/);
  if (!sentences.some(isOrder)) {
    return text;
  }
  return sentences
    .filter((sentence) => !isOrder(sentence))
    .join('')
    .trim();
}

function isOrder(sentence: string): boolean {
  return ORDERS.some((order) => order.test(sentence));
}
