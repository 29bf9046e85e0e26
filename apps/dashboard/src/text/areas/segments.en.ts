export const segments = {} as const;
