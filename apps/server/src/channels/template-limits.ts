/** The longest that each part of a template may be once filled in, in characters (channels.md §2.4). */
export const TEMPLATE_PART_LIMITS = {
  header: 60,
  url: 2_000,
  quick_reply: 256,
  copy_code: 15,
} as const;
