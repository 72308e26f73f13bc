/** What is due to teams, so that they take turns: the first of each team, then the second of each, and so on. */
export function inTurns<Due extends { readonly team_id: string }>(due: readonly Due[]): Due[] {
  const taken = new Map<string, number>();
  return due
    .map((each) => {
      const turn = taken.get(each.team_id) ?? 0;
      taken.set(each.team_id, turn + 1);
      return { each, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ each }) => each);
}
