internal import SystemKit

/// The complete configuration of one RetroArch run.
///
/// It is made anew for every launch and never read back, so a damaged one does no harm; the person's own
/// `retroarch.cfg` is neither read nor written. RetroArch ignores keys that it does not know without a word: a test
/// compares every key with those that the real program writes.
struct RetroArchConfiguration {
    /// The file's bytes.
    let contents: [UInt8]
    /// Folders that it names and that must be there.
    let folders: [BytePath]
    /// Where it unpacks archives.
    let scratch: BytePath

    init(
        places: LaunchPlaces, bios: BytePath, core: BytePath, profiles: BytePath, display: DisplayFacts,
        players: RetroArchPlayers
    ) {
        let own = places.launch.parent.appending("retroarch")
        scratch = places.scratch
        var writer = ConfigurationWriter()
        writer.comment("Made by the appliance for one launch; changes are lost. Yours go into a file of your own,")
        writer.comment("retroarch.cfg or retroarch-SYSTEM.cfg in the configuration folder: they are read after this.")
        for (key, path) in [
            ("savefile_directory", places.saves), ("savestate_directory", places.states),
            ("screenshot_directory", places.screenshots), ("system_directory", bios),
            ("joypad_autoconfig_dir", profiles), ("rgui_config_directory", own),
            ("input_remapping_directory", own.appending("remaps")), ("playlist_directory", own),
            ("runtime_log_directory", own), ("log_dir", places.launch),
            ("cache_directory", scratch), ("libretro_directory", core.parent),
            ("libretro_info_path", "/usr/share/libretro/info"), ("assets_directory", "/usr/share/libretro/assets"),
        ] {
            writer.set(key, path)
        }
        writer.set(RetroArchConfiguration.fixed)
        writer.set(players.keyboard)
        writer.set(RetroArchConfiguration.keyboardCommands)
        writer.set(players.pads)
        writer.set(RetroArchConfiguration.silentHotkeys.map { ($0, "nul") })
        writer.set(RetroArchConfiguration.drivers(for: display))
        contents = writer.bytes
        folders = [profiles, own, own.appending("remaps"), scratch]
    }

    /// What depends on the machine.
    private static func drivers(for display: DisplayFacts) -> [(String, String)] {
        // Measured on 1.14: its sdl2 driver stays black in full screen, gl draws also without a graphics processor.
        var result = [("video_driver", "gl"), ("input_joypad_driver", "udev")]
        switch display.server {
        case .x11: result += [("video_context_driver", "x"), ("input_driver", "x")]
        case .wayland: result += [("video_context_driver", "wayland"), ("input_driver", "wayland")]
        case .kms: result += [("video_context_driver", "kms"), ("input_driver", "udev")]
        }
        switch display.sound {
        case .server: result += [("audio_enable", "true"), ("audio_driver", "pulse")]
        case .card: result += [("audio_enable", "true"), ("audio_driver", "alsathread")]
        case .none: result += [("audio_enable", "false")]
        }
        // Without sound or a display that keeps time, nothing else would hold a game to its own speed.
        let keepsTime = display.sound != .none && display.hasGPU
        result.append(("vrr_runloop_enable", keepsTime ? "false" : "true"))
        return result
    }

    private static let fixed: [(String, String)] = [
        // What the person played is kept: battery saves reach the card every ten seconds, not only at a clean end.
        ("autosave_interval", "10"), ("block_sram_overwrite", "false"), ("savestate_auto_load", "false"),
        ("savestate_auto_save", "false"), ("savefiles_in_content_dir", "false"),
        ("savestates_in_content_dir", "false"), ("screenshots_in_content_dir", "false"),
        ("systemfiles_in_content_dir", "false"), ("sort_savefiles_enable", "false"),
        ("sort_savestates_enable", "false"), ("sort_savefiles_by_content_enable", "false"),
        ("sort_savestates_by_content_enable", "false"), ("sort_screenshots_by_content_enable", "false"),
        // Nothing of this run changes the next one, but for core options and remaps that the person chooses.
        ("config_save_on_exit", "false"), ("auto_overrides_enable", "false"), ("auto_remaps_enable", "true"),
        ("remap_save_on_exit", "true"), ("global_core_options", "false"), ("game_specific_options", "true"),
        ("history_list_enable", "false"), ("content_runtime_log", "false"),
        ("content_runtime_log_aggregate", "false"), ("core_info_cache_enable", "false"),
        ("log_to_file", "false"),
        // The picture.
        ("video_fullscreen", "true"), ("video_windowed_fullscreen", "true"), ("video_vsync", "true"),
        ("video_font_enable", "true"), ("driver_switch_enable", "true"), ("suspend_screensaver_enable", "true"),
        ("fps_show", "false"), ("statistics_show", "false"), ("memory_show", "false"), ("framecount_show", "false"),
        ("input_overlay_enable", "false"), ("input_overlay_enable_autopreferred", "false"),
        ("video_layout_enable", "false"),
        // A window without the focus, as where no window manager runs, must not stop the game.
        ("pause_nonactive", "false"), ("pause_on_disconnect", "false"),
        // No menu but on demand, and out of RetroArch altogether where a game ends.
        ("menu_driver", "rgui"), ("menu_enable_widgets", "false"), ("menu_mouse_enable", "false"),
        ("menu_pause_libretro", "true"), ("load_dummy_on_core_shutdown", "false"), ("quit_on_close_content", "1"),
        ("quit_press_twice", "false"), ("ui_companion_enable", "false"), ("ui_companion_start_on_boot", "false"),
        ("desktop_menu_enable", "false"), ("menu_show_online_updater", "false"),
        ("menu_show_core_updater", "false"), ("menu_show_load_core", "false"), ("menu_show_load_content", "false"),
        ("menu_show_reboot", "false"), ("menu_show_shutdown", "false"), ("menu_show_restart_retroarch", "false"),
        ("input_quit_gamepad_combo", "0"), ("input_menu_toggle_gamepad_combo", "0"),
        ("notification_show_autoconfig", "false"), ("notification_show_config_override_load", "false"),
        ("notification_show_remap_load", "false"), ("notification_show_set_initial_disk", "false"),
        ("notification_show_cheats_applied", "false"), ("notification_show_patch_applied", "false"),
        ("notification_show_refresh_rate", "false"), ("notification_show_fast_forward", "false"),
        // Nothing is fetched, announced or listened to.
        ("network_cmd_enable", "false"), ("stdin_cmd_enable", "false"), ("network_remote_enable", "false"),
        ("network_on_demand_thumbnails", "false"), ("netplay_public_announce", "false"),
        ("discord_allow", "false"), ("cheevos_enable", "false"), ("ai_service_enable", "false"),
        ("camera_allow", "false"), ("location_allow", "false"), ("gamemode_enable", "false"),
        ("core_set_supports_no_game_enable", "false"), ("check_firmware_before_loading", "false"),
        ("input_autodetect_enable", "true"), ("input_max_users", "\(RetroArchPlayers.most)"),
        ("input_auto_game_focus", "0"),
    ]

    private static let keyboardCommands: [(String, String)] = [
        ("input_menu_toggle", "f1"), ("input_save_state", "f2"), ("input_load_state", "f4"),
        ("input_state_slot_decrease", "f6"), ("input_state_slot_increase", "f7"), ("input_screenshot", "f8"),
        ("input_audio_mute", "f9"),
    ]

    /// Keys that would do something nobody asked for; leaving a game is the chord of the menu, for every emulator.
    private static let silentHotkeys = [
        "input_exit_emulator", "input_close_content", "input_reset", "input_pause_toggle", "input_frame_advance",
        "input_rewind", "input_hold_fast_forward", "input_toggle_fast_forward", "input_hold_slowmotion",
        "input_toggle_slowmotion", "input_toggle_fullscreen", "input_desktop_menu_toggle", "input_fps_toggle",
        "input_movie_record_toggle", "input_recording_toggle", "input_streaming_toggle", "input_netplay_game_watch",
        "input_netplay_player_chat", "input_netplay_host_toggle", "input_netplay_ping_toggle",
        "input_cheat_index_minus", "input_cheat_index_plus", "input_cheat_toggle", "input_shader_next",
        "input_shader_prev", "input_shader_toggle", "input_grab_mouse_toggle", "input_game_focus_toggle",
        "input_osk_toggle", "input_overlay_next", "input_runahead_toggle", "input_toggle_statistics",
        "input_ai_service", "input_enable_hotkey", "input_exit_emulator_btn", "input_exit_emulator_axis",
        "input_enable_hotkey_btn", "input_enable_hotkey_axis",
    ]
}

/// Writes RetroArch's configuration language, in bytes.
struct ConfigurationWriter {
    private(set) var bytes: [UInt8] = []

    mutating func comment(_ text: String) { bytes += Array("# \(text)\n".utf8) }

    mutating func set(_ settings: [(String, String)]) {
        for (key, value) in settings { set(key, BytePath(value)) }
    }

    /// The language has no escapes: a value ends at the next quotation mark. One that holds such a mark can only stand
    /// bare, up to the next blank.
    mutating func set(_ key: String, _ value: BytePath) {
        let mark: [UInt8] = value.bytes.contains(UInt8(ascii: "\"")) ? [] : [UInt8(ascii: "\"")]
        bytes += Array("\(key) = ".utf8) + mark + value.bytes + mark + [0x0A]
    }
}
