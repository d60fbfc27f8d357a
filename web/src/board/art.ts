export type Role = "none" | "fill" | "edge" | "ink" | ["light" | "shade", number];
export const ART: Record<string, [string, Role, Role, number][]> = {};
