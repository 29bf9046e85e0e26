/** Where time comes from. Tests hold it; nothing else in the domain calls `Date.now()`. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
