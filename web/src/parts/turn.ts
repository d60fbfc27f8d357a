// A page in another tab is seen by its title and its sign alone: the sign has a dot when it is one's turn.
export function showTurn(mine: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) link.href = mine ? "/turn.svg" : "/mark.svg";
}
