// Where boxes stand and arrows run. Fetched only when a graph is drawn.
import { Graph, layout } from "@dagrejs/dagre";

export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Arrow {
  id: string;
  from: string;
  to: string;
  /** Room for what is written on it. */
  label?: { width: number; height: number };
  /** How much it wants to be short. */
  weight?: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Laid {
  width: number;
  height: number;
  /** The upper left corner of each box. */
  boxes: Map<string, Point>;
  /** Where each arrow runs, and where what is written on it stands. */
  arrows: Map<string, { points: Point[]; label: Point | null }>;
}

/** From the top down: who stands above leads to who stands below. */
export function lay(boxes: Box[], arrows: Arrow[]): Laid {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 34, ranksep: 46, edgesep: 18, marginx: 24, marginy: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  const known = new Set(boxes.map((box) => box.id));
  for (const { id, from, to, label, weight } of arrows) {
    if (known.has(from) && known.has(to)) graph.setEdge(from, to, { width: label?.width ?? 0, height: label?.height ?? 0, labelpos: "c", weight: weight ?? 1 }, id);
  }
  layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  const placed = new Map<string, Point>();
  for (const { id, width, height } of boxes) {
    const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
    placed.set(id, { x: x - width / 2, y: y - height / 2 });
  }
  const run = new Map<string, { points: Point[]; label: Point | null }>();
  const sizes = new Map(boxes.map((box) => [box.id, box]));
  for (const { id, from, to, label } of arrows) {
    const [corner, box] = [placed.get(from), sizes.get(from)];
    if (from === to && corner && box) {
      // Out at the right side and in again, whatever it was given room for.
      const [x, y, h] = [corner.x + box.width, corner.y, box.height];
      const points = [{ x, y: y + h * 0.45 }, { x: x + 46, y: y + h * 0.45 - 14 }, { x: x + 46, y: y + h * 0.75 + 14 }, { x, y: y + h * 0.75 }];
      run.set(id, { points, label: label ? { x: x + 40 + label.width / 2, y: y + h * 0.6 } : null });
      continue;
    }
    const edge = graph.edge(from, to, id) as { points?: Point[]; x?: number; y?: number } | undefined;
    if (edge?.points) run.set(id, { points: edge.points, label: label && edge.x !== undefined && edge.y !== undefined ? { x: edge.x, y: edge.y } : null });
  }
  const right = Math.max(0, ...[...run.values()].flatMap(({ points, label }) => [...points.map((point) => point.x + 24), (label?.x ?? 0) + 60]));
  return { width: Math.max(size.width ?? 0, right, 80), height: Math.max(size.height ?? 0, 80), boxes: placed, arrows: run };
}

/** From the lower edge of one box to the middle of the upper edge of another. */
export function drop(from: Box & Point, to: Box & Point): string {
  const end = { x: to.x + to.width / 2, y: to.y };
  const start = { x: Math.max(from.x + 20, Math.min(from.x + from.width - 20, end.x)), y: from.y + from.height };
  const middle = (start.y + end.y) / 2;
  return `M${start.x.toFixed(1)} ${start.y.toFixed(1)}C${start.x.toFixed(1)} ${middle.toFixed(1)} ${end.x.toFixed(1)} ${middle.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
}

/** A line through points, round at the bends. */
export function curve(points: Point[]): string {
  if (points.length === 0) return "";
  let path = `M${points[0]!.x.toFixed(1)} ${points[0]!.y.toFixed(1)}`;
  for (let nth = 1; nth < points.length - 1; nth += 1) {
    const [bend, next] = [points[nth]!, points[nth + 1]!];
    const end = nth === points.length - 2 ? next : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 };
    path += `Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
  }
  if (points.length === 2) path += `L${points[1]!.x.toFixed(1)} ${points[1]!.y.toFixed(1)}`;
  return path;
}
