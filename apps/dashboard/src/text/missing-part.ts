/** A part of the program, or of its words, did not come: the network failed, or an upgrade replaced it. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super("a part of the page did not come", { cause });
    this.name = "MissingPart";
  }
}
