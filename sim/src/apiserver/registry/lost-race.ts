/** Thrown when another writer was faster: the change is made again. */
export class LostRace extends Error {
  constructor() {
    super("another writer was faster");
    this.name = "LostRace";
  }
}
