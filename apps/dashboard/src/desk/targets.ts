/** The conversations that keys and the command menu act on: the selected ones, else the open one. */
let targets: readonly string[] = [];
export const targetsNow = (): readonly string[] => targets;
export function setTargets(ids: readonly string[]): void {
  targets = ids;
}
