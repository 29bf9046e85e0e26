import smpp, { type Pdu } from "smpp";

/**
 * A peer's PDU is read as far as it can be. The library throws at a field of another length than its own (a number of
 * one octet that should have two), which is the end of the link: the peer binds again, sends the same and so on, and
 * nothing else gets through. Here what stood before the fault is kept, and the PDU is answered as any other.
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
