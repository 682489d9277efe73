"""Label ten items and fetch the newest gold set, through the API alone.

Usage: label_ten_items.py ADDRESS CAMPAIGN

Two tokens come from the environment: ANNOTATOR_TOKEN and LEAD_TOKEN. Everybody finds their own under
*API token*, or gets it for name and password at /api/v1/token/. The answers given here are only an
example: *suppress* and *apply* in turn.
"""

import os
import sys
import uuid

import httpx


def label_items(api: httpx.Client, campaign: str, count: int) -> int:
    """Label up to `count` items of the campaign; return how many there were."""
    for done in range(count):
        reply = checked(api.get(f"campaigns/{campaign}/next/"))
        if reply.status_code == httpx.codes.NO_CONTENT:
            return done
        item = reply.json()
        print(f"{item['recipient']}: {item['task']} | {item['preference']}")
        # The token makes a repeat harmless: a request that is sent again saves nothing twice.
        label = {
            "item": item["item"],
            "label": "apply" if done % 2 else "suppress",
            "token": str(uuid.uuid4()),
        }
        checked(api.post(f"campaigns/{campaign}/labels/", json=label))
    return count


def fetch_gold(api: httpx.Client) -> list[str]:
    """Return the lines of the newest gold release; none where nothing is frozen yet."""
    releases = checked(api.get("gold/")).json()["results"]
    if not releases:
        return []
    newest = max(releases, key=lambda release: release["created_at"])
    return checked(api.get(f"gold/{newest['name']}/download.jsonl")).text.splitlines()


def checked(reply: httpx.Response) -> httpx.Response:
    """Return a reply, or end with the words in which the API says what is wrong."""
    if reply.is_error:
        sys.exit(f"{reply.request.url} answered {reply.status_code}: {reply.text}")
    return reply


def connect(address: str, token: str) -> httpx.Client:
    """Return a client that signs every request with a token."""
    base = f"{address.rstrip('/')}/api/v1/"
    return httpx.Client(base_url=base, headers={"Authorization": f"Token {token}"})


def main(address: str, campaign: str) -> None:
    """Label ten items as the annotator, then fetch gold as the lead."""
    with connect(address, os.environ["ANNOTATOR_TOKEN"]) as annotator:
        print(f"{label_items(annotator, campaign, 10)} items labelled")
    with connect(address, os.environ["LEAD_TOKEN"]) as lead:
        gold = fetch_gold(lead)
    print(f"{len(gold)} gold labels", *gold[:1], sep="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not {"ANNOTATOR_TOKEN", "LEAD_TOKEN"} <= os.environ.keys():
        sys.exit(__doc__)
    main(*sys.argv[1:])
