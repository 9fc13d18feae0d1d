"""`scmanip show` makes pictures and pages of whatever it is given, and refuses what it cannot use."""

import webbrowser
from pathlib import Path

import pytest
from matplotlib.image import imread
from typer.testing import CliRunner

from scmanip import load_mission
from scmanip.command._application import application

MISSIONS = Path(__file__).parents[2] / "missions"


def show(*words):
    return CliRunner().invoke(application, ["show", *map(str, words)])


@pytest.mark.slow
def test_a_system_is_written_as_a_picture_and_as_a_page(tmp_path):
    shot, page = tmp_path / "out.png", tmp_path / "out.html"
    done = show("model:planar_four_link", "--shot", shot, "--html", page)
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == [str(shot), str(page)]
    assert imread(shot).std() > 0.01
    assert "__VISER_EMBED_DATA__" in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("opens", [True, False])
def test_without_a_place_to_go_the_page_is_opened_or_it_is_said_where_it_is(opens, monkeypatch):
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or opens)
    done = show("model:planar_four_link")
    written = Path(done.stdout.split()[-1])
    assert asked == [written.as_uri()]
    assert done.stdout.startswith("opened " if opens else "no browser here; open ")
    assert written.stat().st_size > 8e5


@pytest.mark.slow
def test_a_results_folder_plays_as_its_mission_does_and_an_altered_one_is_refused(tmp_path):
    folder, page = tmp_path / "run", tmp_path / "out.html"
    load_mission(MISSIONS / "stanford_arm.toml").run().save(folder)
    assert show(folder, "--html", page).exit_code == 0
    again = tmp_path / "again.html"
    assert show(MISSIONS / "stanford_arm.toml", "--html", again).exit_code == 0
    of = [text.read_text(encoding="utf-8").partition("const TOLD=")[2] for text in (page, again)]
    assert of[0] == of[1] != ""
    (folder / "mission.toml").write_text("altered", encoding="utf-8")
    assert show(folder, "--html", page).exit_code == 2


@pytest.mark.slow
def test_of_a_mission_in_several_modes_one_is_shown(tmp_path):
    file, shot = MISSIONS / "spatial_six_link_modes.toml", tmp_path / "out.png"
    done = show(file, "--mode", "floating", "--shot", shot)
    assert done.exit_code == 0, done.output
    assert shot.exists()
    refused = show(file, "--mode", "sideways", "--shot", shot)
    assert refused.exit_code == 2
    assert "floating" in refused.output


@pytest.mark.slow
def test_a_case_of_a_study_is_shown(tmp_path):
    shot = tmp_path / "out.png"
    assert show(MISSIONS / "wheel_sizing.toml", "--case", 1, "--shot", shot).exit_code == 0
    assert shot.exists()
    assert show(MISSIONS / "wheel_sizing.toml", "--case", 10**6, "--shot", shot).exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("model:ets7", "--case", "1"), "--case: expected a study, found a system"),
        (("model:ets7", "--mode", "floating"), "--mode: expected a mission, found a system"),
        (("model:none",), "none"),
        (("model:ets7", "--html", "."), "page: expected a place where a file can be written"),
        (("model:ets7", "--html", "none/a.html"), "--html: expected a file in a folder that is there, found 'none/a.html'"),
    ],
)
def test_what_it_cannot_use_is_refused(words, said):
    done = show(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_mesh_is_found_beside_the_file_that_names_it_and_told_where_it_is_not_there(tmp_path):
    lines = ['schema = "scmanip.system/1"', "[base]", "mass_kg = 10.0", "inertia_kg_m2 = [1, 1, 1]"]
    lines += ["[[visual]]", 'frame = "base"', 'type = "mesh"', 'file = "nowhere.obj"']
    (tmp_path / "arm.toml").write_text("\n".join(lines), encoding="utf-8")
    long = (tmp_path / "arm.toml").read_text(encoding="utf-8").replace("nowhere", "n" * 300)
    (tmp_path / "long.toml").write_text(long, encoding="utf-8")
    assert "not there" in show(tmp_path / "long.toml", "--shot", tmp_path / "arm.png").stderr
    done = show(tmp_path / "arm.toml", "--shot", tmp_path / "arm.png")
    assert done.exit_code == 0 and "mesh 'nowhere.obj' of 'base' is not there" in done.stderr
    pytest.importorskip("trimesh")
    (tmp_path / "nowhere.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8"
    )
    done = show(tmp_path / "arm.toml", "--shot", tmp_path / "arm.png")
    assert done.exit_code == 0 and "not there" not in done.stderr
