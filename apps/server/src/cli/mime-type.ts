/** Types by the ending of a file's name. */
const BY_ENDING: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  aac: "audio/aac",
  pdf: "application/pdf",
  txt: "text/plain",
};

/** The type of a file by the ending of its name; `application/octet-stream` for an unknown ending. */
export function mimeTypeOf(fileName: string): string {
  const ending = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  return BY_ENDING[ending] ?? "application/octet-stream";
}
