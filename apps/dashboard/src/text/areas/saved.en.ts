export const saved = {} as const;
