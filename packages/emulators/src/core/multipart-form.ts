/** A multipart body, or null for any other. */
export async function readForm(contentType: string, body: Buffer): Promise<FormData | null> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return null;
  try {
    // The platform's own multipart reader, not the sender's.
    return await new Response(new Uint8Array(body), {
      headers: { "content-type": contentType },
    }).formData();
  } catch {
    return null;
  }
}

/** A field that is text. */
export function fieldOf(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === "string" ? value : null;
}
