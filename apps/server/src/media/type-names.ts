/** What types of files are called: by the senders of files, by us, and by the endings of their names. */

/** The type of bytes that nothing recognises. */
export const UNKNOWN_TYPE = "application/octet-stream";

const SAME_AS: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/m4a": "audio/mp4",
  // The bytes of M4A and M4V files are known by these names. WhatsApp takes only the registered names.
  "audio/x-m4a": "audio/mp4",
  // Browsers and phones call Opus in an Ogg file so. WhatsApp takes uploads of that name and then fails the message.
  "audio/opus": "audio/ogg",
  "video/x-m4v": "video/mp4",
};

/** A type in lower case, without parameters, under the name that we use. Null: it is no type. */
export function plainType(type: string | null): string | null {
  const bare = type?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(bare)) return null;
  return SAME_AS[bare] ?? bare;
}

export const familyOf = (type: string): string => type.split("/", 1)[0] ?? "";

/** The endings of file names by type. The first one is used when we choose. */
export const ENDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "audio/mpeg": ["mp3", "mpga"],
  "audio/mp4": ["m4a", "m4b"],
  "audio/aac": ["aac"],
  "audio/amr": ["amr"],
  // Not "opus": WhatsApp reads that ending as audio/opus, a type that it refuses.
  "audio/ogg": ["ogg", "oga"],
  "video/mp4": ["mp4", "m4v"],
  "video/ogg": ["ogv"],
  "video/3gpp": ["3gp", "3gpp"],
  "video/quicktime": ["mov", "qt"],
  "application/pdf": ["pdf"],
  "application/msword": ["doc", "dot"],
  "application/vnd.ms-excel": ["xls", "xlt"],
  "application/vnd.ms-powerpoint": ["ppt", "pps", "pot"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "text/plain": ["txt"],
  "text/csv": ["csv"],
  "text/calendar": ["ics"],
  "text/vcard": ["vcf"],
  "text/x-vcard": ["vcf"],
};
