/** `#` and six lower-case hexadecimal digits. */
export type Colour = `#${string}`;

export const COLOUR = /^#[0-9a-f]{6}$/;
/** For text, by WCAG 2.2 level AA. */
export const LEAST_CONTRAST = 4.5;

const BLACK = '#000000';
const WHITE = '#ffffff';

/** The contrast ratio by WCAG 2.2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** A mixture with `share` (0 to 1) of `other`. */
export function mix(colour: Colour, other: Colour, share: number): Colour {
  const [own, foreign] = [bandsOf(colour), bandsOf(other)];
  const mixed = own.map((band, index) => Math.round(band + (foreign[index]! - band) * share));
  return `#${mixed.map((band) => band.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour itself or, if it can't be read on the ground, the nearest mixture with black or white that can. */
export function readableOn(ground: Colour, colour: Colour): Colour {
  const goal = contrast(ground, WHITE) > contrast(ground, BLACK) ? WHITE : BLACK;
  for (let share = 0; share <= 1; share += 0.02) {
    const mixed = mix(colour, goal, share);
    if (contrast(mixed, ground) >= LEAST_CONTRAST) return mixed;
  }
  return goal;
}

function luminance(colour: Colour): number {
  const [red, green, blue] = bandsOf(colour).map((band) => {
    const value = band / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function bandsOf(colour: Colour): number[] {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}
