/** What a `confirm` of a flow offers where it names nothing else. Pure data, for browsers too. */
export const CONFIRM_YES = { en: "Yes", ar: "نعم" } as const;
export const CONFIRM_NO = { en: "No", ar: "لا" } as const;
