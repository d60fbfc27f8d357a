// Our own pictures, by their names, in a box of 100 around the middle.
export interface Part { path: string; fill?: string; stroke?: string; width?: number }

export function picture(_name: string): Part[] | null {
  return null;
}
