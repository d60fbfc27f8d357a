// Short sounds made on the spot: no file to load, and nothing is told by sound alone.
const notes: Record<string, { at: number; hertz: number; to?: number; gain: number; wave: OscillatorType }[]> = {
  placed: [{ at: 0, hertz: 320, to: 180, gain: 0.22, wave: "triangle" }],
  moved: [{ at: 0, hertz: 260, to: 200, gain: 0.16, wave: "triangle" }],
  captured: [{ at: 0, hertz: 300, to: 120, gain: 0.25, wave: "triangle" }, { at: 0.07, hertz: 180, to: 90, gain: 0.2, wave: "triangle" }],
  dice: [0, 0.06, 0.11, 0.19].map((at) => ({ at, hertz: 700, to: 300, gain: 0.09, wave: "square" as const })),
  won: [{ at: 0, hertz: 392, gain: 0.12, wave: "sine" }, { at: 0.14, hertz: 523, gain: 0.12, wave: "sine" }, { at: 0.28, hertz: 659, gain: 0.12, wave: "sine" }],
  refused: [{ at: 0, hertz: 110, to: 80, gain: 0.28, wave: "sine" }],
  proposal: [{ at: 0, hertz: 880, to: 1100, gain: 0.05, wave: "sine" }],
};

let context: AudioContext | null = null;

/** Browsers let a page be heard only after the first gesture; until then there is nothing to play on. */
export function play(name: string, on: boolean): void {
  const sound = notes[name];
  if (!on || sound === undefined || !(navigator.userActivation?.hasBeenActive ?? false)) return;
  context ??= new AudioContext();
  for (const { at, hertz, to, gain, wave } of sound) {
    const start = context.currentTime + at;
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    oscillator.type = wave;
    oscillator.frequency.setValueAtTime(hertz, start);
    if (to !== undefined) oscillator.frequency.exponentialRampToValueAtTime(to, start + 0.12);
    volume.gain.setValueAtTime(gain, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.18);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.2);
  }
}
