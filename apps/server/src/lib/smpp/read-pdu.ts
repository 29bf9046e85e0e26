import smpp, { type Pdu } from "smpp";

/**
 * Reads a peer's PDU as far as possible. At a field of an unexpected length (a number of one octet that should have
 * two) the library throws, which ends the link. The peer would bind again and send the same again, and nothing else
 * would get through. Here the fields before the fault are kept, and the PDU is answered like any other.
 */
smpp.PDU.fromStream = (stream, length) => {
  const rest = stream.read(length - 4);
  if (rest === null) return false;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  const pdu: Pdu & { fromBuffer(buffer: Buffer): void } = Object.create(smpp.PDU.prototype);
  try {
    pdu.fromBuffer(Buffer.concat([head, rest]));
  } catch (error) {
    // Without its header nobody knows what to answer.
    if (length < HEADER) throw error;
  }
  return pdu;
};

const HEADER = 16;
