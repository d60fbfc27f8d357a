// A statement that was copied: it can be put into any behavior of any game that is open here.
export const clipboard = $state({ text: "" });
