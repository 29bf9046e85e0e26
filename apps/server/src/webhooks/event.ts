/** Placeholder until the event kinds land. */
export interface NewEvent {
  readonly workspaceId: string;
  readonly type: string;
  readonly data: object;
}
