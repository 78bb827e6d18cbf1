/** The body of an HTTP request before it is read: text and what it says it is. */
export class RawBody {
  readonly text: string;
  /** `application/json`; "" if the client did not say. */
  readonly mediaType: string;

  constructor(text: string, mediaType: string) {
    this.text = text;
    this.mediaType = mediaType;
  }
}
