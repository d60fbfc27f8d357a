// The board as a picture that can be taken away: its colours come from the page and have to go along.

const TOLD = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "transform", "display"];
const ACROSS = 1200;

export async function paint(board: SVGSVGElement, kind: "svg" | "png"): Promise<Blob> {
  const { width, height } = board.viewBox.baseVal;
  const copy = board.cloneNode(true) as SVGSVGElement;
  const [from, to] = [[...board.querySelectorAll<SVGElement>("*")], [...copy.querySelectorAll<SVGElement>("*")]];
  from.forEach((one, at) => {
    const [seen, left] = [getComputedStyle(one), to[at]!];
    for (const name of TOLD) {
      const value = seen.getPropertyValue(name);
      if (value !== "" && value !== "none" && value !== "normal") left.style.setProperty(name, value);
      else if (name === "fill" && value === "none") left.style.setProperty(name, value);
    }
    for (const name of ["class", "tabindex", "role"]) left.removeAttribute(name);
  });
  // Places as the keyboard meets them are no part of the picture.
  for (const one of copy.querySelectorAll("[data-spot]")) one.remove();
  // What a game brings is fetched once more, for a drawing that stands alone fetches nothing.
  for (const one of copy.querySelectorAll("image")) {
    const address = await inside(one.getAttribute("href") ?? "").catch(() => null);
    if (address === null) one.remove();
    else one.setAttribute("href", address);
  }
  copy.removeAttribute("class");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(ACROSS));
  copy.setAttribute("height", String(Math.round((ACROSS * height) / width)));
  const text = new XMLSerializer().serializeToString(copy);
  const svg = new Blob([text], { type: "image/svg+xml" });
  if (kind === "svg") return svg;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [ACROSS, Math.round((ACROSS * height) / width)];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob === null ? failed(new Error("")) : done(blob)), "image/png"));
}

async function inside(address: string): Promise<string> {
  const blob = await (await fetch(address)).blob();
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error ?? new Error(address));
    reader.readAsDataURL(blob);
  });
}

export async function save(blob: Blob, name: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
