/** Where the type's own word is not what a name ends in. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "audio/ogg": "ogg",
  "video/ogg": "ogv",
  "video/3gpp": "3gp",
  "video/quicktime": "mov",
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/csv": "csv",
  "text/calendar": "ics",
  "text/vcard": "vcf",
  "text/x-vcard": "vcf",
};

/** What a browser runs when such a file is opened from the disk, whatever is in it. */
const ACTIVE = /\.(?:[xs]?html?|xht|mht(?:ml)?|svgz?|hta)[. ]*$/i;

/**
 * The name under which a file is handed out. A picture or sound without a name gets the ending of its type. A name that
 * a browser would open as a page ends in what the file was kept as (`x.html.pdf`), and in `.bin` when that is unknown:
 * the bytes of a page pass as many a harmless type, and on the reader's disk no header of ours protects any more.
 */
export function handedOutAs(
  fileName: string | null,
  { kind, mimeType }: { readonly kind: string; readonly mimeType: string | null },
): string {
  const ending = endingOf(mimeType);
  if (fileName === null) return ending === null ? kind : `${kind}.${ending}`;
  return ACTIVE.test(fileName) ? `${fileName}.${ending ?? "bin"}` : fileName;
}

function endingOf(mimeType: string | null): string | null {
  return (
    ENDINGS[mimeType ?? ""] ??
    /^(?:image|audio|video)\/(?:x-)?([a-z0-9]+)$/.exec(mimeType ?? "")?.[1] ??
    null
  );
}
