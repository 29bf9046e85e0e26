type Rgb = readonly [number, number, number];

export const DEFAULT_COLOR = "#0b6b4a";

/** `#abc` or `#aabbcc` as six digits; null when it is no colour we can compute with. */
export function parseColor(value: string | null | undefined): string | null {
  const found = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value?.trim() ?? "")?.[1]?.toLowerCase();
  if (!found) return null;
  return `#${found.length === 3 ? found.replaceAll(/./g, "$&$&") : found}`;
}

/** The WCAG 2 contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** White when it can be read on this colour (4.5), else black: one of the two always can. */
export function inkOn(color: string): string {
  return contrast(color, "#ffffff") >= 4.5 ? "#ffffff" : "#000000";
}

/** The colour itself when it can be seen on the ground (for lines and icons, 3), else the ink. */
export function visibleOn(color: string, ground: string, ink: string): string {
  return contrast(color, ground) >= 3 ? color : ink;
}

function rgb(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
