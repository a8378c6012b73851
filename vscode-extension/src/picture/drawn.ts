// A picture that came from the server, and the texts that it was drawn from.
import * as vscode from 'vscode';
import type { Picture } from './picture';
import { asRange } from './text';

/** What is drawn, and the versions of the documents it was drawn from. */
export interface Drawn {
  picture: Picture;
  uri: vscode.Uri;
  versions: Map<string, number>;
}

/** What the server knows when it is asked now: changes are sent before requests. */
export function openVersions(): Map<string, number> {
  return new Map(
    vscode.workspace.textDocuments.map(({ uri, version }) => [uri.toString(), version]),
  );
}

/** The server's spelling of a URI may escape other characters than VS Code's. */
export function withOurUris(picture: Picture): Picture {
  const spelt = new Map<string, string>();
  const ours = (uri: string): string => {
    const known = spelt.get(uri) ?? vscode.Uri.parse(uri).toString();
    spelt.set(uri, known);
    return known;
  };
  return {
    ...picture,
    partners: picture.partners.map((partner) => ({ ...partner, uri: ours(partner.uri) })),
    nodes: picture.nodes.map((node) => ({
      ...node,
      places: node.places.map((place) => ({ ...place, uri: ours(place.uri) })),
    })),
  };
}

/** Where what is drawn is written in the text that was asked about. */
export function writtenIn({ picture, uri }: Drawn): vscode.Range | undefined {
  const places = picture.nodes.flatMap((node) => node.places);
  const [first, ...others] = places
    .filter((place) => place.uri === uri.toString())
    .map(({ range }) => asRange(range));
  return others.reduce((all, one) => all?.union(one), first);
}

/** By node: its label, tag or relation as it is written. */
export function givenTexts({ nodes }: Picture): Record<string, string> {
  const documents = new Map(
    vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
  );
  const texts = nodes.flatMap(({ id, places: [place] }) => {
    const document = place === undefined ? undefined : documents.get(place.uri);
    return place && document ? [[id, document.getText(asRange(place.given))] as const] : [];
  });
  return Object.fromEntries(texts);
}
