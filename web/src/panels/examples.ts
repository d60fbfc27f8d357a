// How rules begin, for somebody who has never written one. Every name in them is to be replaced by one of the game's.
export const EXAMPLES: { name: string; text: string }[] = [
  { name: "Refuse something", text: '#law "My law" on place\n  (require (not (= self b2)) "The middle stays empty.")\n' },
  { name: "An extra turn", text: '#sideeffect "My side-effect" on place\n  (if (line 2 of mark) (again))\n' },
  { name: "Another way to win", text: '#sideeffect "Four corners win" on place\n  (if (= (count cell where (= mark player)) 5) (win player))\n' },
];
